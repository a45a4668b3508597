import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../parts/index.ts';
import { withUsername } from '../../../parts/people/index.ts';
import type { NodeActions } from './Line.tsx';
import type { Node } from './organisation.ts';
import styles from './organisations.module.css';

/** More people than these are shown when somebody asks for them. */
const fewPeople = 10;

function People({ people }: { people: Node['personLinks'] }) {
  const { t } = useTranslation('organisations');
  const [all, setAll] = useState(false);
  const shown = all || people.length <= fewPeople + 2 ? people : people.slice(0, fewPeople);
  return (
    <>
      <ul className={styles.people}>
        {shown.map((person) => (
          <li key={person.userId}>
            <Icon name="user" size={13} />
            {withUsername(person)}
          </li>
        ))}
      </ul>
      {shown.length < people.length ? (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          {t('details.all', { n: people.length })}
        </Button>
      ) : null}
    </>
  );
}

/** The chosen node at a glance: where it stands, its work groups, its people. */
export function Details({
  node,
  path,
  may,
  onAdd,
  onEdit,
  onRemove,
}: Omit<NodeActions, 'nameOf'> & { node: Node; path: readonly string[] }) {
  const { t } = useTranslation('organisations');
  return (
    <div className={styles.details}>
      <div>
        <p className={styles.path}>{path.length === 0 ? t('details.top') : path.join(' / ')}</p>
        <h2>{node.orgName}</h2>
        {node.description ? <p className={styles.lead}>{node.description}</p> : null}
      </div>
      {may.edit ? (
        <div className={styles.buttons}>
          <Button type="primary" icon={<Icon name="edit" size={14} />} onClick={() => onEdit(node)}>
            {t('edit')}
          </Button>
          <Button icon={<Icon name="plus" size={14} />} disabled={may.readOnly} onClick={() => onAdd(node)}>
            {t('addChild')}
          </Button>
          <Button danger icon={<Icon name="trash" size={14} />} disabled={may.readOnly} onClick={() => onRemove(node)}>
            {t('delete')}
          </Button>
        </div>
      ) : null}
      <section>
        <h3>
          {t('field.groups')}
          <span>{node.groupLinks.length}</span>
        </h3>
        {node.groupLinks.length === 0 ? (
          <p className={styles.nobody}>{t('details.noGroups')}</p>
        ) : (
          <ul className={styles.groups}>
            {node.groupLinks.map(({ groupId, groupName }) => (
              <li key={groupId}>
                <Icon name="team" size={13} />
                {groupName}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3>
          {t('field.people')}
          <span>{node.personLinks.length}</span>
        </h3>
        {node.personLinks.length === 0 ? (
          <p className={styles.nobody}>{t('details.noPeople')}</p>
        ) : (
          <People key={node.id} people={node.personLinks} />
        )}
      </section>
    </div>
  );
}
