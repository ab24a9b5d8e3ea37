type Nodemailer = typeof import('nodemailer');

/** Nodemailer takes longer to read than most commands take to run, and few of them send a letter. */
export function loadOnce<T>(open: (nodemailer: Nodemailer) => T): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= import('nodemailer').then(open);
    return opened;
  };
}
