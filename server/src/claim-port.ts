/** A port that is asked for is another's, or not to be had. */
class PortError extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'PortError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be listened on',
  EADDRNOTAVAIL: 'is not of this machine',
  ENOTFOUND: 'is not of this machine',
};

/** Runs `listen`; says in words why a port cannot be listened on. Throws PortError. */
export async function claimPort<T>(
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
