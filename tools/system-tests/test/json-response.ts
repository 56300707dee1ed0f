export interface JsonResponse {
  status: number;
  body: Record<string, unknown>;
}
