import { DomainError } from '../domain/foundation/errors.ts';

/** Adds the option to a refusal of a slug that is taken. */
export async function nameSlugOption<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (!error.details.some(({ reason }) => reason === 'slug_taken')) throw error;
    const details = error.details.map((detail) => {
      if (detail.reason !== 'slug_taken') return detail;
      return { ...detail, message: `${detail.message} Use --slug.` };
    });
    const message = details.length === 1 ? (details[0]?.message ?? '') : error.message;
    throw new DomainError(error.kind, message, { details, cause: error });
  }
}
