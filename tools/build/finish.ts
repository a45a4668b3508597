import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.ts';
import { bundledPackages, shippedPackages } from './packages.ts';
import { licencesText } from './licences.ts';
import { packFiles } from './pack-files.ts';
import { billOfMaterials } from './sbom.ts';

/**
 * The end of a build: licence notices beside the console, the bill of materials in dist/, and every text file packed
 * once instead of for each request.
 */
const built = join(root, 'console/dist');
const bundled = bundledPackages(built);
writeFileSync(join(built, 'licenses.txt'), licencesText(shippedPackages(bundled)));
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(await billOfMaterials(bundled), null, 1)}\n`);
await packFiles(built);
