/** Resolves in a task after the next frame has been drawn. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
