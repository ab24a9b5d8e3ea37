type Nodemailer = typeof import('nodemailer');

/** Loading Nodemailer takes longer than most commands, and few of them send an email. */
export function loadOnce<T>(open: (nodemailer: Nodemailer) => T): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= import('nodemailer').then(open);
    return opened;
  };
}
