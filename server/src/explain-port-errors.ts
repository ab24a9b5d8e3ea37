/** A port is in use, or this process cannot listen on it. */
class PortError extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'PortError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'requires a permission that this process does not have',
  EADDRNOTAVAIL: 'cannot be used: this machine does not have that address',
  ENOTFOUND: 'cannot be used: the host was not found',
};

/** Runs `listen`. Throws PortError, which explains why the port cannot be used. */
export async function explainPortErrors<T>(
  port: number,
  host: string,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new PortError(`Port ${port} of ${host} ${reason}.`, { cause });
  }
}
