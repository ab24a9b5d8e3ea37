import type { PublicPodcast } from '../../domain/catalogue/index.ts';
import { DomainError } from '../../domain/errors.ts';
import { visibilityOf } from '../../domain/podcasts/index.ts';
import { failureOf, HttpError } from '../errors.ts';

/** A refusal about a show that the page may name. */
export class ShowPageError extends HttpError {
  readonly show: PublicPodcast;

  constructor(show: PublicPodcast, refusal: DomainError) {
    super(failureOf(refusal));
    this.show = show;
  }
}

/** Shows refusals of `work` on a page of this show, unless the show's existence is private. */
export async function withPodcast<T>(show: PublicPodcast, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && visibilityOf(show, 'page') !== 'hidden') {
      throw new ShowPageError(show, error);
    }
    throw error;
  }
}
