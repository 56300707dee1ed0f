interface ClosableRig {
  close(): Promise<void>;
}

/** Closes the rig after the measurement, and on SIGINT and SIGTERM. */
export async function withRig<Some extends ClosableRig, Result>(
  rig: Some,
  measure: (rig: Some) => Promise<Result>,
): Promise<Result> {
  const interrupt = (): void => {
    void rig.close().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await measure(rig);
  } finally {
    await rig.close();
  }
}
