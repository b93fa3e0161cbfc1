// Runs on any Node. Says what to do when this Node cannot run TypeScript, because npm did not install the pinned one.
if (!process.features.typescript) {
  process.stderr.write(
    `Rookery needs Node 24 and found ${process.version}: the Node that its package.json pins was not installed.\n` +
      'Its install script was blocked. Run: npm rebuild --ignore-scripts=false\n',
  );
  process.exit(1);
}
