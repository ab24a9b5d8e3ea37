/**
 * A show's own domain: the records that verify it, its state, and which are verified now.
 * Table: podcast_domains.
 */
export { checkDomain } from './check-domain.ts';
export { checkDomainsJob } from './check-domains.job.ts';
export { checkDomains } from './check-domains.ts';
export type { ExpectedRecords, FoundRecords, OwnDomain } from './domain.ts';
export { OwnDomains } from './own-domains.ts';
export { type DomainSetup, getDomain, removeDomain, setDomain } from './set-domain.ts';
