import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getNewcomer, listBatches, listNewcomers } from '../../../../../contract/wires/provisioning.ts';
import type { MarkState } from '../../../parts/index.ts';

export type Newcomer = ReplyOf<typeof listNewcomers>['data'][number];
export type OpenNewcomer = ReplyOf<typeof getNewcomer>;
export type Batch = ReplyOf<typeof listBatches>['data'][number];

export const marks: Readonly<Record<Newcomer['state'], MarkState>> = {
  waiting: 'partial',
  claimed: 'on',
  blocked: 'offline',
};
export const standings: Readonly<Record<Batch['standing'], MarkState>> = {
  open: 'on',
  full: 'partial',
  disabled: 'off',
  expired: 'offline',
};

/** What is proposed for a device made of a newcomer, until somebody says otherwise. */
export interface Draft {
  readonly family: string;
  readonly code: string;
  readonly name: string;
  readonly poleId: number | null;
}
export const draftOf = (one: Newcomer, changed: Partial<Draft> | undefined): Draft => ({
  family: one.family ?? '',
  code: one.serial,
  name: one.name ?? one.model ?? one.serial,
  poleId: null,
  ...changed,
});

/** The body that makes a device of it, in the work area of its batch. */
export const deviceOf = (one: Newcomer, { family, code, name, poleId }: Draft) => ({
  family,
  equipmentCode: code.trim(),
  equipmentName: name.trim(),
  workId: one.workId,
  ...(poleId === null ? {} : { lamppostId: poleId }),
  ...(one.longitude === null || one.latitude === null ? {} : { longitude: one.longitude, latitude: one.latitude }),
});

/** An address as people write it. */
export const plainAddress = (address: string | null): string => address?.replace(/^::ffff:/, '') ?? '—';

const denials = ['wrongPassword', 'badSerial', 'batchDisabled', 'batchExpired', 'batchFull', 'blocked'] as const;
/** The words for why a member of a batch was not let in. */
export const deniedWord = (reason: string) =>
  `denied.${denials.find((one) => one === reason) ?? 'wrongPassword'}` as const;
