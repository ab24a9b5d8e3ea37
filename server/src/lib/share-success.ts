/** All callers share one result. If it fails, the next caller tries again. */
export function shareSuccess<T>(make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () => {
    shared ??= make().catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    return shared;
  };
}
