import { Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { findInTree, type TreeName } from '../../../../../contract/register/topology.ts';
import { useCall } from '../../../api/index.ts';
import { useLeaveByTab, useRested } from '../../../parts/form/index.ts';
import { Icon, useErrorText } from '../../../parts/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { kindOf, type Node } from './item.ts';
import styles from './topology.module.css';

interface Option {
  value: string;
  label: string;
  kind: string;
  path: string;
  node: Node;
}
interface Props {
  tree: TreeName;
  /** Only these kinds, as targets of a move are: then some are offered before anything is typed. */
  kinds?: readonly string[];
  workId?: number | null;
  label: string;
  chosen?: Node | null;
  onFound: (node: Node) => void;
}

function renderOption({ data: { label, kind, path } }: { data: Option }): ReactNode {
  return (
    <span className={styles.found}>
      <b>{label}</b>
      <small>{[kind, path].filter((part) => part !== '').join(' · ')}</small>
    </span>
  );
}

/** Looks for a node anywhere in a tree, opened or not. */
export function FindNode({ tree, kinds, workId = null, label, chosen = null, onFound }: Props) {
  const { t } = useTranslation('topology');
  const names = useNames();
  const errorText = useErrorText();
  const { list, around } = useLeaveByTab();
  const [typed, setTyped] = useState('');
  const text = useRested(typed.trim());
  const found = useCall(
    findInTree,
    {
      params: { tree },
      query: {
        ...(text === '' ? {} : { q: text }),
        ...(kinds ? { kinds: kinds.join(',') } : {}),
        ...(workId === null ? {} : { workId }),
      },
    },
    { enabled: text !== '' || kinds !== undefined, keepPrevious: true },
  );
  const rows = (text === '' || typed.trim() === '') && kinds === undefined ? [] : (found.data?.data ?? []);
  const nothing = found.error
    ? errorText(found.error)
    : found.isFetching || text !== typed.trim()
      ? t('find.searching')
      : t('find.none');
  const called = (node: Node): string => [node.code, node.name].filter(Boolean).join(' ');
  const options = rows.map(({ node, path }): Option => ({
    value: node.key,
    label: called(node),
    node,
    path: path
      .slice(0, -1)
      .map(({ code }) => code)
      .filter((code) => code !== '')
      .join(' / '),
    kind: node.kind === 'device' ? names.family(kindOf(node)) : names.record(node.kind),
  }));
  return (
    <div {...around}>
      <Select<string, Option>
        {...list}
        open={list.open && (typed.trim() !== '' || kinds !== undefined)}
        style={{ width: '100%' }}
        value={chosen === null ? null : chosen.key}
        placeholder={label}
        aria-label={label}
        prefix={<Icon name="search" size={14} />}
        suffixIcon={null}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        notFoundContent={nothing}
        options={options}
        optionRender={renderOption}
        labelRender={({ label: shown }) => shown ?? (chosen ? called(chosen) : '')}
        onChange={(_key, option) => {
          setTyped('');
          if (option && !Array.isArray(option)) onFound(option.node);
        }}
      />
    </div>
  );
}
