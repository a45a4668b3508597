import type { Family } from '../family.ts';
import { centralController } from './central-controller.ts';
import { lampPole } from './lamp-pole.ts';
import { singleLampController } from './single-lamp-controller.ts';

/** Every device family, in the order people see them. */
export const families: readonly Family[] = [lampPole, singleLampController, centralController];

const byKey: ReadonlyMap<string, Family> = new Map(families.map((family) => [family.key, family]));

/** The family of a key; undefined for a key nobody declared. */
export const familyOf = (key: string): Family | undefined => byKey.get(key);
/** Whether a reference can be offered: its target is declared (families arrive one by one). */
export const isDeclared = (to: { readonly record: string } | { readonly family: string }): boolean => 'record' in to || byKey.has(to.family);
