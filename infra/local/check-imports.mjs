// Checks the import rules. Fails if few modules were read, which would mean that the configuration is wrong.
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../../.dependency-cruiser.cjs';

const minModules = 150;

const { output } = await cruise(
  ['gateway', 'services', 'packages', 'infra'],
  { ...rules.options, validate: true, ruleSet: { forbidden: rules.forbidden } },
  {},
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { totalCruised, violations } = output.summary;
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
if (totalCruised < minModules)
  console.error(`only ${totalCruised} modules were read, at least ${minModules} are expected`);
console.log(`${totalCruised} modules, ${violations.length} violations`);
process.exitCode = violations.length > 0 || totalCruised < minModules ? 1 : 0;
