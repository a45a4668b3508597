/** The map of lamps: `MapCanvas` draws it, `LampField` holds what it draws. MapLibre comes with the first import of MapCanvas. */
export { LampField, exceptionStates, stateIndex, type LampChange, type LampColumns, type LampStateName } from './lamp-field.ts';
export { useFieldVersion } from './use-field.ts';
export { hasWebGl } from './webgl.ts';
