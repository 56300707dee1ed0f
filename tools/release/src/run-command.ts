import { OperatorError } from '@engawa/errors';

/** Runs the command of this process. What its user can put right is said in one line, and the process ends with 1. */
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
