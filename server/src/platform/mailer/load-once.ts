type Nodemailer = typeof import('nodemailer');

/** Loads Nodemailer at first use: that takes longer than most commands, and few send an email. */
export function loadOnce<T>(open: (nodemailer: Nodemailer) => T): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= import('nodemailer').then(open);
    return opened;
  };
}
