import { useQueryClient } from '@tanstack/react-query';
import { type DomainOfShow, domainQuery } from '../../../api/domain.ts';
import type { ShowSettings } from '../../../api/show-settings.ts';
import { useShowWrite } from '../use-show-write.ts';

/** A write of a show's domain, which is then shown as it is. */
export function useDomainWrite(
  show: ShowSettings,
  write: (revision: number) => Promise<DomainOfShow>,
  onSuccess?: (written: DomainOfShow) => unknown,
) {
  const queries = useQueryClient();
  return useShowWrite(show, {
    write,
    parts: () => ['domain'],
    onSuccess(written) {
      queries.setQueryData(domainQuery(show.id).queryKey, written);
      return onSuccess?.(written);
    },
  });
}
