#!/usr/bin/env cwl-runner
# Counts what is in a VCF file, or in some of its chromosomes: the outputs are the fields of a VariantStats entity.
cwlVersion: v1.2
class: CommandLineTool
baseCommand: [bcftools, stats]
requirements:
  InlineJavascriptRequirement:
    expressionLib:
      - |
        function count(stats, what) {
          var found = stats.match(new RegExp("\t" + what + ":\t([0-9]+)"));
          return found === null ? 0 : parseInt(found[1]);
        }
inputs:
  vcf: {type: File, inputBinding: {position: 2}}
  sample: string
  targets: {type: string, doc: Chromosomes by comma., inputBinding: {prefix: --targets, position: 1}}
stdout: stats.txt
outputs:
  uri: {type: File, outputBinding: {glob: stats.txt}}
  sample: {type: string, outputBinding: {outputEval: $(inputs.sample)}}
  targets: {type: string, outputBinding: {outputEval: $(inputs.targets)}}
  samples: {type: int, outputBinding: {glob: stats.txt, loadContents: true, outputEval: '$(count(self[0].contents, "number of samples"))'}}
  records: {type: int, outputBinding: {glob: stats.txt, loadContents: true, outputEval: '$(count(self[0].contents, "number of records"))'}}
  indels: {type: int, outputBinding: {glob: stats.txt, loadContents: true, outputEval: '$(count(self[0].contents, "number of indels"))'}}
  multiallelic_sites: {type: int, outputBinding: {glob: stats.txt, loadContents: true, outputEval: '$(count(self[0].contents, "number of multiallelic sites"))'}}
