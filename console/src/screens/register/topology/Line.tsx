import type { Namespace } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import type { TreeName } from '../../../../../contract/register/topology.ts';
import { lampStates } from '../../../../../contract/light/lamps.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber, Icon, StateMark, type IconName } from '../../../parts/index.ts';
import { iconOf } from '../../../parts/devices/Head.tsx';
import { kindOf, type Item, type Node } from './item.ts';
import styles from './topology.module.css';

export const areas = ['topology', 'devices', 'lamp', 'declared'] as const satisfies Namespace;

/** What a node is called; a group by what its devices lack. */
export function useNodeName(tree: TreeName): (node: Node) => string {
  const { t } = useTranslation(areas);
  return (node) =>
    node.group !== null
      ? t(`group.${tree}.${node.group}` as 'group.power.boxes')
      : [node.code, node.name].filter(Boolean).join(' ');
}

const iconFor = (node: Node): IconName =>
  node.kind === 'loop'
    ? 'plug'
    : node.kind === 'road'
      ? 'road'
      : node.kind === 'group'
        ? 'folder'
        : iconOf(node.family ?? '');

/**
 * One line: what it is, its code and name, what it is doing, and how many lamps hang on it, those with trouble apart.
 */
export function Line({ tree, item }: { tree: TreeName; item: Item }) {
  const { t, i18n } = useTranslation(areas);
  const names = useNames();
  const nameOf = useNodeName(tree);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { node, more } = item;
  if (!node) {
    return (
      <>
        <span className={styles.more}>
          <Icon name={more?.step === 1 ? 'down' : 'up'} size={14} />
          {t(more?.step === 1 ? 'more.next' : 'more.previous', { n: number(more?.left ?? 0) })}
        </span>
        {more?.failed ? (
          <span className={styles.failed} role="alert">
            <Icon name="warning" size={13} />
            {t('fetch.failed')}
          </span>
        ) : null}
      </>
    );
  }
  const kind =
    node.kind === 'loop' || node.kind === 'road'
      ? names.record(node.kind)
      : node.family === null
        ? null
        : names.family(kindOf(node));
  return (
    <>
      <span className={styles.name}>
        <Icon name={iconFor(node)} size={16} />
        {node.group !== null ? (
          nameOf(node)
        ) : (
          <>
            <b className="code">{node.code}</b>
            {node.name}
          </>
        )}
      </span>
      <span className={styles.kind}>{kind}</span>
      <span className={styles.state}>
        <State node={node} />
      </span>
      <span className={styles.count}>
        {node.group !== null ? (
          <b>{t('members', { n: number(node.children) })}</b>
        ) : node.lamps === null || node.lamps === 0 ? null : (
          <>
            <Icon name="lamp" size={13} />
            <b>{t('lamps', { n: number(node.lamps) })}</b>
          </>
        )}
      </span>
      <span className={styles.trouble}>
        {node.alarms ? <StateMark state="alarm" word={t('alarms', { n: number(node.alarms) })} /> : null}
      </span>
      <span className={styles.trouble}>
        {node.offline ? <StateMark state="offline" word={t('offline', { n: number(node.offline) })} /> : null}
      </span>
    </>
  );
}

function State({ node }: { node: Node }) {
  const { t } = useTranslation(areas);
  const { state, online, family } = node;
  if (isLamp(family)) {
    const known = lampStates.find((one) => one === state);
    return known ? <StateMark state={known} /> : null;
  }
  if (online === null) return null;
  return (
    <StateMark
      state={online ? 'on' : 'offline'}
      word={t(online ? 'state.online' : 'state.offline', { ns: 'devices' })}
    />
  );
}
