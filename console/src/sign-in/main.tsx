/** @jsxImportSource preact */
import { render } from 'preact';
import { currentTag } from '../session/index.ts';
import { App } from './App.tsx';
import { startBackdrop } from './backdrop.ts';
import { fetchPublicKey } from './calls.ts';
import { enter } from './enter.ts';
import { reloadOnBack } from './route.ts';
import { loadTexts, TextsContext } from './texts.ts';
import './sign-in.css';

const entry = enter();
const tag = currentTag();
document.documentElement.lang = tag;
reloadOnBack();
void fetchPublicKey();

const texts = await loadTexts(tag);
document.title = texts('product');
const root = document.getElementById('root');
if (root === null) throw new Error('no #root');
render(
  <TextsContext.Provider value={texts}>
    <App entry={entry} />
  </TextsContext.Provider>,
  root,
);
const frame = document.getElementById('backdrop');
if (frame !== null) startBackdrop(frame);
