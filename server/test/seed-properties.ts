import fc from 'fast-check';

/**
 * In CI, property tests draw the same examples in each run: whether a change passes depends on the
 * change alone. Everywhere else they look for new ones.
 */
if (process.env['CI'] === 'true') fc.configureGlobal({ seed: 2_026 });
