import { readFile, stat } from 'node:fs/promises';

const mostBytes = 4_000_000;

/** The names of a hosts file, in lower case; read again after it has changed. */
export class HostsFile {
  readonly #path: string;
  #names: ReadonlySet<string> = new Set();
  #version = '';

  constructor(path = '/etc/hosts') {
    this.#path = path;
  }

  /** False also if there is no such file. */
  async names(hostname: string): Promise<boolean> {
    try {
      const { mtimeMs, size } = await stat(this.#path);
      const version = `${mtimeMs} ${size}`;
      if (version !== this.#version && size <= mostBytes) {
        this.#names = parse(await readFile(this.#path, 'utf8'));
        this.#version = version;
      }
    } catch {
      return false;
    }
    return this.#names.has(hostname.toLowerCase().replace(/\.$/, ''));
  }
}

function parse(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const [entry = ''] = line.split('#', 1);
    const [, ...found] = entry.trim().split(/\s+/);
    for (const name of found) names.add(name.toLowerCase());
  }
  return names;
}
