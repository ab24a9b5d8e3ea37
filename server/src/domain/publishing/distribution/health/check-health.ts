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
  for (const { check, whatToDoAbout, ...rule } of showRules) {
    const said = check(facts);
    if (said === undefined) continue;
    const { message, messageKey, values } = said;
    const whatToDo = whatToDoAbout?.[messageKey ?? ''] ?? rule.whatToDo;
    findings.push({ ...rule, whatToDo, message, messageKey, values, episodes: null });
  }
  for (const { problem, ...rule } of episodeRules) {
    const episodes = facts.episodeProblems[problem];
    if (episodes === undefined || episodes.count === 0) continue;
    findings.push({ ...rule, messageKey: rule.rule, values: {}, episodes });
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
