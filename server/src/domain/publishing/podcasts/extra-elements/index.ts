/**
 * Only the rules, without a database: threads import this, because they start faster with less
 * code.
 */
export {
  extraElementLimits,
  isExtraAttributeName,
  isExtraElementName,
  isOwnElement,
} from '../extra-element.ts';
