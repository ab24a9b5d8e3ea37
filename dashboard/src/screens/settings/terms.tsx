import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { acceptTerms, meQuery } from '../../api/me.ts';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';

export function Terms() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Page title={t`Terms`}>
      <QueryView query={me}>{({ terms }) => <Acceptance {...terms} />}</QueryView>
    </Page>
  );
}

interface AcceptanceProps {
  readonly version: string | null;
  readonly url: string | null;
  readonly accepted: boolean;
}

function Acceptance({ version, url, accepted }: AcceptanceProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: () => acceptTerms(version ?? ''),
    onSuccess: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  if (version === null) {
    return (
      <p>
        <Trans>There are no terms of service to accept.</Trans>
      </p>
    );
  }
  const terms = <TermsLink version={version} url={url} />;
  if (accepted) {
    return (
      <Notice tone="good">
        <Trans>You’ve accepted {terms}.</Trans>
      </Notice>
    );
  }
  return (
    <Form
      onSubmit={accept.mutate}
      submit={t`I accept the terms`}
      isPending={accept.isPending}
      error={accept.error}
    >
      <p>
        <Trans>
          Please read {terms}. Until you accept them, your API keys can’t access private data.
        </Trans>
      </p>
    </Form>
  );
}

function TermsLink({ version, url }: { readonly version: string; readonly url: string | null }) {
  const name = <Trans>the terms of service (version {version})</Trans>;
  if (url === null) return name;
  return (
    <a href={url} target="_blank" rel="noopener">
      {name}
    </a>
  );
}
