// The import rules, and a guard against a checker that looked at nothing and found nothing wrong.
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../../.dependency-cruiser.cjs';

const fewestModules = 150;

const { output } = await cruise(
  ['gateway', 'services', 'packages', 'infra'],
  { ...rules.options, validate: true, ruleSet: { forbidden: rules.forbidden } },
  {},
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { totalCruised, violations } = output.summary;
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
if (totalCruised < fewestModules)
  console.error(`only ${totalCruised} modules were looked at, at least ${fewestModules} are expected`);
console.log(`${totalCruised} modules, ${violations.length} violations`);
process.exitCode = violations.length > 0 || totalCruised < fewestModules ? 1 : 0;
