import { useLingui } from '@lingui/react/macro';

interface Role {
  readonly role: string;
  /** The server's name: in English, or a custom name. */
  readonly role_name: string;
}

/** The name of a role in the language of the app. */
export function useRoleName(): (of: Role) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    owner: t`Owner`,
    admin: t`Admin`,
    editor: t`Editor`,
    analyst: t`Analyst`,
    cohost: t`Co-host`,
  };
  return ({ role, role_name: name }) => names[role] ?? name;
}
