import type { Transaction } from '../../platform/db/index.ts';
import { insertAccount, replaceRoles } from './users.store.ts';

/** An account that is there from the start. */
export interface Person {
  readonly username: string;
  readonly familyName: string;
  readonly givenName: string;
  readonly mobile: string;
  readonly email: string;
  /** What the person does: the account's title. */
  readonly title: string;
  readonly level: number;
  readonly roleIds: readonly number[];
  readonly passwordHash: string;
  readonly createdAt: Date;
  /** null: never. */
  readonly lastLoginAt: Date | null;
  readonly disabled: boolean;
}

/** Makes an account that has been used since `createdAt`: its password is no initial one. Returns its id. */
export async function addPerson(
  tx: Transaction,
  { passwordHash, createdAt, lastLoginAt, disabled, roleIds, familyName, givenName, ...person }: Person,
): Promise<number> {
  const nickname = familyName + givenName;
  const id = await insertAccount(
    tx,
    { ...person, familyName, givenName, nickname },
    { hash: passwordHash, until: createdAt },
  );
  await replaceRoles(tx, id, roleIds);
  await tx
    .updateTable('account')
    .set({
      created_at: createdAt,
      updated_at: createdAt,
      password_changed_at: lastLoginAt ?? createdAt,
      last_login_at: lastLoginAt,
      disabled,
    })
    .where('id', '=', id)
    .execute();
  return id;
}
