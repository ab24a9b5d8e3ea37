import { episodeRules } from './episode-rules.ts';
import type { HealthFacts } from './health-facts.ts';
import type { Finding, RuleSource } from './rule.ts';
import { showRules } from './show-rules.ts';

export interface Health {
  /** The gravest first. */
  readonly findings: readonly Finding[];
  readonly passed: readonly {
    readonly rule: string;
    readonly sources: readonly RuleSource[];
    readonly title: string;
  }[];
}

const gravity = { error: 0, warning: 1, advice: 2 } as const;

/** Holds a show against every rule. */
export function checkHealth(facts: HealthFacts): Health {
  const findings: Finding[] = [];
  for (const { check, ...rule } of showRules) {
    const message = check(facts);
    if (message !== undefined) findings.push({ ...rule, message, episodes: null });
  }
  for (const { problem, ...rule } of episodeRules) {
    const episodes = facts.episodeProblems[problem];
    if (episodes !== undefined && episodes.count > 0) findings.push({ ...rule, episodes });
  }
  const broken = new Set(findings.map(({ rule }) => rule));
  const passed = [...showRules, ...episodeRules]
    .filter(({ rule }) => !broken.has(rule))
    .map(({ rule, sources, title }) => ({ rule, sources, title }));
  return {
    findings: findings.sort((a, b) => gravity[a.severity] - gravity[b.severity]),
    passed,
  };
}
