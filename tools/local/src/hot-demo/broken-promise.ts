/** What the demo shows is not as it is promised: that is for whoever builds Engawa, and no fault of who looks on. */
export class BrokenPromise extends Error {}
