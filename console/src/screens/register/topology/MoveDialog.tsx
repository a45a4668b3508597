import { Checkbox, Modal, type ModalProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  findInTree,
  getDevicePaths,
  getTreeLevel,
  moveInTree,
  type TreeName,
} from '../../../../../contract/register/topology.ts';
import { getDevice, listDevices } from '../../../../../contract/register/devices.ts';
import { useSend } from '../../../api/index.ts';
import { FirstFocus } from '../../../parts/form/index.ts';
import { formatNumber, Icon, toast, useErrorText } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { inPreview } from '../../../session/index.ts';
import { FindNode } from './FindNode.tsx';
import { carriersOf, mayStandAlone, type Node } from './item.ts';
import { useNodeName } from './Line.tsx';
import styles from './topology.module.css';

export interface Moving {
  /** Every move is one of its own. */ readonly serial: number;
  readonly nodes: readonly Node[];
  /** Chosen by a drag; null: nowhere; undefined: still to be chosen. */ readonly to?: Node | null;
}
interface Props {
  tree: TreeName;
  moving: Moving | null;
  onClose: () => void;
  onMoved: (nodes: readonly Node[]) => void;
}
const named = 8;
/** Nothing is left to be chosen: Enter confirms. */
const okFirst: ModalProps['footer'] = (_, { OkBtn, CancelBtn }) => (
  <>
    <CancelBtn />
    <FirstFocus>
      <OkBtn />
    </FirstFocus>
  </>
);

/**
 * Says what moves with all that hangs on it, and where; without a drag the target is looked for here. A refusal stays,
 * naming each node.
 */
export function MoveDialog(props: Props) {
  const shown = useLast(props.moving);
  // Each move begins anew.
  return shown ? <Dialog key={shown.serial} {...props} shown={shown} /> : null;
}

function Dialog({ tree, moving, shown, onClose, onMoved }: Props & { shown: Moving }) {
  const { t, i18n } = useTranslation('topology');
  const nameOf = useNodeName(tree);
  const names = useNames();
  const errorText = useErrorText();
  const [target, setTarget] = useState<Node | null>(null);
  const [nowhere, setNowhere] = useState(false);
  const send = useSend(moveInTree, [getTreeLevel, findInTree, getDevicePaths, getDevice, listDevices], { quiet: true });
  const [failure, setFailure] = useState<unknown>(null);
  const { nodes } = shown;
  const isGiven = shown.to !== undefined;
  const to = isGiven ? (shown.to?.kind === 'group' ? null : (shown.to ?? null)) : nowhere ? null : target;
  const isChosen = isGiven || nowhere || target !== null;
  const lamps = nodes.reduce((sum, node) => sum + (node.lamps ?? 0), 0);
  const kinds = carriersOf(tree, nodes);
  const called = (kind: string): string => (kind === 'loop' ? names.record(kind) : names.family(kind));
  const leave = (): void => {
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setFailure(null);
    try {
      await send.mutateAsync({
        params: { tree },
        body: {
          nodes: nodes.map(({ key, version }) => ({ key, ...(version === null ? {} : { version }) })),
          to: to?.key ?? null,
        },
      });
      toast.done(t('move.done', { n: formatNumber(nodes.length, i18n.language, 0) }));
      onMoved(nodes);
    } catch (cause) {
      setFailure(cause);
    }
  };
  return (
    <Modal
      open={moving !== null}
      title={t('move.title')}
      width={520}
      onCancel={leave}
      onOk={() => void confirm()}
      destroyOnHidden
      okText={t('move.ok')}
      cancelText={t('cancel')}
      {...(isGiven ? { footer: okFirst } : {})}
      okButtonProps={{ loading: send.isPending, disabled: send.isPending || !isChosen || inPreview() }}
    >
      <p className={styles.what}>
        {t('move.what', { n: formatNumber(nodes.length, i18n.language, 0) })}
        {lamps > 0 ? ` ${t('move.lamps', { n: formatNumber(lamps, i18n.language, 0) })}` : ''}
      </p>
      <ul className={styles.moved}>
        {nodes.slice(0, named).map((node) => (
          <li key={node.key}>{nameOf(node)}</li>
        ))}
        {nodes.length > named ? (
          <li>{t('move.others', { n: formatNumber(nodes.length - named, i18n.language, 0) })}</li>
        ) : null}
      </ul>
      {isGiven ? (
        <p className={styles.where}>
          <Icon name="right" size={14} />
          {to ? t('move.to', { name: nameOf(to) }) : t('move.nowhere')}
        </p>
      ) : kinds.length === 0 ? (
        <p className={styles.failure}>
          <Icon name="warning" size={14} />
          <span>{t('move.mixed')}</span>
        </p>
      ) : (
        <div className={styles.choice}>
          {nowhere ? null : (
            <FirstFocus>
              <FindNode
                tree={tree}
                kinds={kinds}
                workId={nodes[0]?.workId ?? null}
                label={t('move.find', { kinds: kinds.map(called).join(' / ') })}
                chosen={target}
                onFound={setTarget}
              />
            </FirstFocus>
          )}
          {mayStandAlone(tree, nodes) ? (
            <Checkbox checked={nowhere} onChange={({ target: { checked } }) => setNowhere(checked)}>
              {t('move.nowhere')}
            </Checkbox>
          ) : null}
        </div>
      )}
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          <Icon name="warning" size={14} />
          <span>{errorText(failure)}</span>
        </p>
      )}
    </Modal>
  );
}
