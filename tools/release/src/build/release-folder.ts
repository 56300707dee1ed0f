import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A folder that appears atomically: it is filled under a temporary name beside it and renamed at
 * the end. Temporary folders of killed processes are removed by the next one.
 */
export class ReleaseFolder {
  readonly #final: string;
  /** The folder to fill, empty at first. */
  readonly files: string;
  /** For temporary files, removed at the end. */
  readonly work: string;

  constructor(final: string) {
    this.#final = final;
    mkdirSync(dirname(final), { recursive: true });
    this.#removeLeftovers();
    const own = mkdtempSync(`${this.#prefix}${process.pid}-`);
    this.files = join(own, 'files');
    this.work = join(own, 'work');
    mkdirSync(this.files);
    mkdirSync(this.work);
  }

  get #prefix(): string {
    return join(dirname(this.#final), `.${basename(this.#final)}-`);
  }

  /** Replaces the former folder by the filled one. */
  publish(): void {
    const former = join(this.work, 'former');
    if (existsSync(this.#final)) renameSync(this.#final, former);
    renameSync(this.files, this.#final);
    this.discard();
  }

  discard(): void {
    rmSync(dirname(this.files), { recursive: true, force: true });
  }

  #removeLeftovers(): void {
    const [folder, start] = [dirname(this.#prefix), basename(this.#prefix)];
    for (const name of readdirSync(folder)) {
      const owner = new RegExp(`^${start.replaceAll('.', '\\.')}(\\d+)-`).exec(name)?.[1];
      if (owner === undefined || isRunning(Number(owner))) continue;
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
