const capacity = 500;
const retryCost = 5;
const timeoutCost = 10;
const successRefund = 1;

/**
 * Limits retries while most attempts fail, so that retries do not multiply the load of an API that is overloaded. The
 * numbers are those of the SDK's standard retry mode (AWS SDKs reference guide, "Retry behavior").
 */
export class RetryQuota {
  #tokens = capacity;

  /** @returns the cost of the retry, to be refunded when it succeeds; undefined if there must be no retry */
  take(isTimeout: boolean): number | undefined {
    const cost = isTimeout ? timeoutCost : retryCost;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** @param cost of the latest retry; undefined after a first attempt */
  succeeded(cost: number | undefined): void {
    this.#tokens = Math.min(capacity, this.#tokens + (cost ?? successRefund));
  }
}
