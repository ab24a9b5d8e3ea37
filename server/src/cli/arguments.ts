import { parseArgs } from 'node:util';

export interface OperandSpec {
  readonly about: string;
  /** Its name in the usage; default: its name in capitals. */
  readonly label?: string;
  /** Takes all remaining arguments, one or more; only the last operand may. */
  readonly repeated?: boolean;
  /** May be left out; only the last operand may. */
  readonly optional?: boolean;
}

/** Without `value`, it is a flag. */
export interface OptionSpec {
  readonly about: string;
  /** The value's name in the usage: `EMAIL`. */
  readonly value?: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** May be given more than once; its value is a list. */
  readonly many?: boolean;
}

/** By name in camelCase, operands in order; typed as FILE_OR_URL and --dry-run. */
export type OperandSpecs = Readonly<Record<string, OperandSpec>>;
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type Values<P extends OperandSpecs, O extends OptionSpecs> = {
  readonly [N in keyof P]: OperandValue<P[N]>;
} & { readonly [N in keyof O]: OptionValue<O[N]> };

type OperandValue<S extends OperandSpec> = S extends { readonly repeated: true }
  ? readonly string[]
  : S extends { readonly optional: true }
    ? string | undefined
    : string;

type OptionValue<S extends OptionSpec> = S extends { readonly many: true }
  ? readonly string[]
  : OneValue<S>;

type OneValue<S extends OptionSpec> = S extends { readonly value: string }
  ? S extends { readonly required: true }
    ? Choice<S>
    : Choice<S> | undefined
  : boolean;

type Choice<S extends OptionSpec> = S extends { readonly choices: readonly (infer C)[] }
  ? C
  : string;

/** The arguments match no command: exit 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

type Parsed = Record<string, string | boolean | readonly string[] | undefined>;

/** Throws UsageError. */
export function parseArguments(
  spec: { readonly operands: OperandSpecs; readonly options: OptionSpecs },
  argv: readonly string[],
): Parsed {
  const tokens = split(spec.options, argv);
  const values = readOptions(
    spec.options,
    tokens.filter((token) => token.kind === 'option'),
  );
  const operands = tokens.filter((token) => token.kind === 'positional');
  return {
    ...values,
    ...readOperands(
      spec.operands,
      operands.map((token) => token.value),
    ),
  };
}

/** Node's parser without strict mode, which has other messages and refuses `-2h`. */
function split(options: OptionSpecs, argv: readonly string[]) {
  const types = Object.entries(options).map(([name, { value }]) => {
    return [flagOf(name).slice(2), { type: value === undefined ? 'boolean' : 'string' } as const];
  });
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
    allowPositionals: true,
  }).tokens;
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readOptions(specs: OptionSpecs, tokens: readonly OptionToken[]): Parsed {
  const nameOf = new Map(Object.keys(specs).map((name) => [flagOf(name), name]));
  const given: Parsed = {};
  for (const token of tokens) {
    const name = nameOf.get(token.rawName);
    const option = name === undefined ? undefined : specs[name];
    if (name === undefined || option === undefined) {
      throw new UsageError(`Unknown option ${token.rawName}.`);
    }
    const value = readOption(option, token);
    const before = given[name];
    if (option.many === true) given[name] = [...(Array.isArray(before) ? before : []), value];
    else if (before === undefined) given[name] = value;
    else throw new UsageError(`${token.rawName} may be given only once.`);
  }
  refuseMissing(specs, given);
  return { ...valuesOfNone(specs), ...given };
}

/** The values of options that are not given: false for flags, an empty list for `many`. */
function valuesOfNone(specs: OptionSpecs): Parsed {
  const values: Parsed = {};
  for (const [name, { value, many }] of Object.entries(specs)) {
    if (many === true) values[name] = [];
    else if (value === undefined) values[name] = false;
  }
  return values;
}

function readOption(option: OptionSpec, { rawName, value, inlineValue }: OptionToken) {
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    return true;
  }
  // In `--title --audio f.mp3` the title is missing; `--schedule -2h` is valid.
  const forgotten = value === undefined || (inlineValue !== true && /^-(-|[a-z]|$)/i.test(value));
  if (forgotten) {
    throw new UsageError(`${rawName} needs a value (${rawName}=${option.value}).`);
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw new UsageError(`${rawName} must be one of ${option.choices.join(', ')}.`);
  }
  return value;
}

function readOperands(specs: OperandSpecs, given: readonly string[]): Parsed {
  const names = Object.keys(specs);
  const values: Parsed = {};
  for (const [index, name] of names.entries()) {
    const value = given[index];
    if (value === undefined && specs[name]?.optional === true) {
      values[name] = specs[name].repeated === true ? [] : undefined;
      continue;
    }
    if (value === undefined) throw new UsageError(`${labelOf(name, specs[name])} is missing.`);
    values[name] = specs[name]?.repeated === true ? given.slice(index) : value;
  }
  const last = names.at(-1);
  const tooMany = last === undefined || specs[last]?.repeated !== true;
  if (tooMany && given.length > names.length) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(given[names.length])}.`);
  }
  return values;
}

function refuseMissing(specs: OptionSpecs, given: Parsed): void {
  const missing = Object.keys(specs).filter(
    (name) => specs[name]?.required === true && given[name] === undefined,
  );
  if (missing.length === 0) return;
  const verb = missing.length === 1 ? 'is' : 'are';
  throw new UsageError(`${missing.map(flagOf).join(' and ')} ${verb} required.`);
}

/** `dryRun` → `--dry-run` */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `fileOrUrl` → `FILE_OR_URL` */
export function labelOf(name: string, spec: OperandSpec | undefined): string {
  return spec?.label ?? name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
