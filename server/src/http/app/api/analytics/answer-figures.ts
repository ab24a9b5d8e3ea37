import Type, { type TSchema } from 'typebox';
import type { AnalyticsFacts } from '../../../../domain/analytics/index.ts';
import type { HttpContext } from '../../../http-context.ts';
import { sessionCaching } from '../../../payload.ts';
import type { Answer, PrivateOperation } from '../../../route.ts';
import { presentFigures } from '../../../v1/keyed/analytics/present.ts';
import { AnalyticsMeta } from '../../../v1/keyed/analytics/schemas.ts';

/** What endpoints of analytics respond with: figures, and what they are worth. */
export const figures = (data: TSchema): PrivateOperation['responses'] => ({
  200: { description: 'OK', schema: Type.Object({ data, meta: AnalyticsMeta }) },
});

export function answerFigures(
  { ctx }: HttpContext,
  data: unknown,
  facts: AnalyticsFacts,
  more: object = {},
): Answer {
  const body = { ...presentFigures(ctx, data, facts), ...more };
  return { kind: 'json', body, caching: sessionCaching };
}
