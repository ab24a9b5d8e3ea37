import { useNavigate, useSearch } from '@tanstack/react-router';
import { intervalOf, rangeOf, type StatisticsSearch, utcToday } from './search.ts';

/** The range of the address, and how to change it. */
export function useStatisticsSearch() {
  const search: StatisticsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: StatisticsSearch) =>
    navigate({ to: '.', search: { ...search, ...changes } as never, resetScroll: false });
  return {
    ...{ search, change },
    range: rangeOf(search),
    interval: intervalOf(search, utcToday()),
  };
}
