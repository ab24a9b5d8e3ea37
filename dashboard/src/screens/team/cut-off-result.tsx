import { Plural } from '@lingui/react/macro';
import { Notice } from '../../components/notice.tsx';

interface Props {
  readonly of: { readonly blocked_keys: number; readonly revoked_keys: number };
}

export function CutOffResult({ of: { blocked_keys: blocked, revoked_keys: revoked } }: Props) {
  return (
    <Notice tone="good">
      <Plural
        value={blocked}
        _0="No key could read this show."
        one="# key reads this show no more."
        other="# keys read this show no more."
      />{' '}
      {revoked > 0 && (
        <Plural
          value={revoked}
          one="# key read nothing else, and was revoked."
          other="# keys read nothing else, and were revoked."
        />
      )}
    </Notice>
  );
}
