import { describe, expect, it } from 'vitest';
import { carriesOthers, namedBy, speaksForOthers } from './capabilities.ts';
import { isLamp, lampFamily } from './lighting/families.ts';

describe('what families can', () => {
  it('is read from the references that lead to them', () => {
    expect(namedBy('pole_id')).toEqual(['lamp-pole']);
    expect(namedBy('gateway_id')).toEqual(['gateway']);
    expect(namedBy('box_id')).toEqual(['control-box']);
    expect(namedBy('loop_id'), 'a loop is a record').toEqual([]);
    expect([...speaksForOthers]).toEqual(['central-controller']);
    expect(carriesOthers('lamp-pole')).toBe(true);
    expect(carriesOthers('gateway')).toBe(false);
    expect(carriesOthers(null)).toBe(false);
  });

  it('says which are lamps', () => {
    expect(isLamp(lampFamily)).toBe(true);
    expect(isLamp('solar-controller')).toBe(false);
    expect(isLamp(null)).toBe(false);
  });
});
