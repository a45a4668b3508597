import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { listRoles } from '../../../../../contract/specified/roles.ts';
import { useCall } from '../../../api/index.ts';
import { tied } from '../../../fields/face.ts';
import { useLeaveByTab } from '../../form/index.ts';
import { Icon } from '../../index.ts';
import { iconNameOf } from '../../icons/Icon.tsx';
import styles from './people.module.css';

/** Every role there is (specified 11.3: selects load up to 1000), as options with their icons, and names by id. */
export function useRoles() {
  const { t } = useTranslation('users');
  const roles = useCall(listRoles, { query: { size: 1000 } }, { staleTime: 60_000 });
  const known = roles.data?.data ?? [];
  return {
    options: known.map(({ id, name, icon }) => ({
      value: id,
      name,
      'aria-label': name,
      label: (
        <span className={styles.option}>
          <Icon name={iconNameOf(icon)} size={13} />
          {name}
        </span>
      ),
    })),
    isPending: roles.isPending,
    failed: roles.isError && !roles.data,
    refetch: roles.refetch,
    namesOf: (ids: readonly number[]): string =>
      ids.map((id) => known.find((role) => role.id === id)?.name ?? `#${id}`).join(t('list.separator')),
  };
}

interface Props {
  id: string;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  invalid: boolean;
  describedBy: string | undefined;
  roles: ReturnType<typeof useRoles>;
}

/** The roles of an account: several, searchable by name. */
export function RoleSelect({ id, value, onChange, invalid, describedBy, roles }: Props) {
  const { t } = useTranslation('users');
  const { list, around } = useLeaveByTab();
  return (
    <div {...around}>
      <Select<number[]>
        {...tied(id, invalid, describedBy)}
        mode="multiple"
        style={{ width: '100%' }}
        placeholder={t('dialog.roles.choose')}
        loading={roles.isPending}
        showSearch={{ optionFilterProp: 'name' }}
        aria-required
        notFoundContent={t('dialog.roles.none')}
        value={roles.isPending ? [] : [...value]}
        onChange={onChange}
        options={roles.options}
        {...list}
      />
    </div>
  );
}
