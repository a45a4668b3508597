export { hasSecrets, openKeys, rsaPair, type Keys, type RsaPair } from './keys.ts';
