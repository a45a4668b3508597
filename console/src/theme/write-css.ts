import { writeFileSync } from 'node:fs';
import { tokensCss } from './css.ts';

/** `node console/src/theme/write-css.ts`: writes tokens.css beside itself from tokens.ts. */
writeFileSync(new URL('./tokens.css', import.meta.url), tokensCss());
