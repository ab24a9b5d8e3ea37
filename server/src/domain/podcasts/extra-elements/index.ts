/** The rules alone, without a database: for threads, which start sooner with less to load. */
export {
  extraElementLimits,
  isExtraAttributeName,
  isExtraElementName,
  isOwnElement,
} from '../extra-element.ts';
