import { UsageError } from './arguments.ts';

/** Options of every command, before or after its name. */
export interface ProgramOptions {
  /** The command line without these options. */
  readonly argv: readonly string[];
  /** A file with a service's settings. */
  readonly envFile: string | undefined;
  /** Whether a new installation may be created. */
  readonly isNew: boolean;
}

const envFileFlag = '--env-file';

/** `--` ends the options. Throws UsageError. */
export function readProgramOptions(typed: readonly string[]): ProgramOptions {
  const end = typed.indexOf('--');
  const options = end === -1 ? typed : typed.slice(0, end);
  const argv: string[] = [];
  let envFile: string | undefined;
  let isNew = false;
  for (let index = 0; index < options.length; index += 1) {
    const word = options[index] ?? '';
    if (word === envFileFlag) {
      index += 1;
      envFile = options[index] ?? '';
    } else if (word.startsWith(`${envFileFlag}=`)) {
      envFile = word.slice(envFileFlag.length + 1);
    } else if (word === '--new') {
      isNew = true;
    } else {
      argv.push(word);
    }
  }
  if (envFile === '') throw new UsageError(`${envFileFlag} needs a file.`);
  return { argv: [...argv, ...typed.slice(options.length)], envFile, isNew };
}
