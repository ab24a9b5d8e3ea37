/** For our own files and PostgreSQL's disk. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Nothing more can be written; reading still works. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}
