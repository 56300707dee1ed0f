import { OperatorError } from '@engawa/errors';

/** Runs the command of this process. An OperatorError is printed on one line, and the process exits with 1. */
export async function runCommand(command: () => void | Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error;
    if (!(error instanceof OperatorError) && !isUsage) throw error;
    console.error(`engawa: ${error.message}`);
    process.exitCode = 1;
  }
}
