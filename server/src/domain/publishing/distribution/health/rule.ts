import type { SentenceList } from '../../../../lib/sentences.ts';
import type { SaidMessage } from '../../../foundation/errors.ts';
import type { ConcernedEpisodes, EpisodeProblem, HealthFacts } from './health-facts.ts';

/** Whose rule it is: Apple Podcasts, Spotify, or the Podcast Standards Project's PSP-1. */
export type RuleSource = 'apple' | 'spotify' | 'psp1';

/**
 * error: apps refuse or cannot play it. warning: they show it badly, or not to everybody. advice:
 * it is recommended.
 */
export type Severity = 'error' | 'warning' | 'advice';

interface RuleText {
  readonly rule: string;
  readonly sources: readonly RuleSource[];
  readonly severity: Severity;
  /** What holds where the rule is kept. */
  readonly title: string;
  readonly whatToDo: string;
}

export interface ShowRule extends RuleText {
  /** By the key of the message: for what the rule's own advice does not help. */
  readonly whatToDoAbout?: SentenceList;
  /** Says what is wrong; undefined: nothing is. */
  readonly check: (facts: HealthFacts) => SaidMessage | undefined;
}

export interface EpisodeRule extends RuleText {
  readonly problem: EpisodeProblem;
  readonly message: string;
}

export interface Finding extends RuleText, SaidMessage {
  /** Null: it concerns the show itself. */
  readonly episodes: ConcernedEpisodes | null;
}
