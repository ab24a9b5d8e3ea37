import Type from 'typebox';
import {
  checkRange,
  type Interval,
  intervals,
  presets,
  type RangeParameters,
  type RangeRequest,
  toRangeRequest,
} from '../../domain/audience/analytics/index.ts';
import type { HttpContext } from '../http-context.ts';
import type { CheckInput } from '../route.ts';

const day = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: `${description}, as YYYY-MM-DD`,
      examples: [example],
    }),
  );

/** The requested range of an analytics endpoint. */
export const rangeParameters = {
  preset: Type.Optional(
    Type.Enum([...presets], {
      type: 'string',
      default: '30d',
      description:
        'Range that ends today (UTC); `12m`: twelve months, `all`: from the first download. Not together with `from` or `to`',
      examples: ['30d'],
    }),
  ),
  from: day('First UTC day of the range: from 1970 to today', '2026-03-01'),
  to: day('Last UTC day, today at the latest and by default; requires `from`', '2026-03-31'),
};

export const interval = Type.Optional(
  Type.Enum([...intervals], {
    type: 'string',
    default: 'day',
    description:
      'Length of a period, UTC; `week`: ISO weeks, from Monday. A daily series has at most 1,100 days',
    examples: ['day'],
  }),
);

type GivenParameters = RangeParameters & { readonly interval?: Interval | undefined };
type Given = Pick<CheckInput<unknown, GivenParameters>, 'query' | 'refused' | 'refuse'>;

/** Part of a route's `check`: refuses what is wrong with the range. */
export function checkRangeParameters(
  http: HttpContext,
  { query, refused, refuse }: Given,
): RangeRequest {
  refuse(...checkRange(query, refused, undefined, http.ctx.clock.now()));
  return toRangeRequest(query);
}

/** The same for a series, whose range may be too long for its interval. */
export function checkSeriesParameters(
  http: HttpContext,
  { query, refused, refuse }: Given,
): { readonly range: RangeRequest; readonly interval: Interval } {
  const { interval = 'day' } = query;
  const known = refused.has('interval') ? undefined : interval;
  refuse(...checkRange(query, refused, known, http.ctx.clock.now()));
  return { range: toRangeRequest(query), interval };
}
