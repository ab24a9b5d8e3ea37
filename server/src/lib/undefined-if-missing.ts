/** For `catch`: a file that is missing, or gone meanwhile, is undefined. Throws other errors again. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
